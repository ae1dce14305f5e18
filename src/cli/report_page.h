/* The HTML report's page: the text before and after its data. One self-contained file; it loads nothing from the network. */
#ifndef TESSERA_CLI_REPORT_PAGE_H
#define TESSERA_CLI_REPORT_PAGE_H

/* The rows of L: [file, line, cycles, text], and where they are known cycles of its own, what they mostly are, and whether it is the
 * library's. */
#define CLI_SHOW_LINES \
  "const most=Math.max(1,...L.map(l=>l[2])),library=$('library');\n" \
  "for(const [file,line,cycles,text,own,mostly,lib] of L){const " \
  "tr=el('tr'),name=file.split('/').pop()+':'+line;tr.id='line-'+encodeURIComponent(name);\n" \
  " tr.append(el('td',String(cycles),'num'),el('td',String(own),'num'),el('td',mostly),el('td',name),el('td',text));\n" \
  " tr.style.background=`rgba(228,87,46,${(0.6*cycles/most).toFixed(3)})`;(lib?library.lastChild:$('lines')).append(tr)}\n" \
  "if(!L.some(l=>l[6]))library.remove();if(L.every(l=>l.length<5))$('lines').className='plain';\n"

/* Names of source lines in a text become links to their rows; L and el are those of the page. */
#define CLI_LINK_LINES \
  "const known=new Set(L.map(l=>l[0].split('/').pop()+':'+l[1])),has=n=>known.has(n);\n" \
  "const places=new " \
  "RegExp(`(${[...known].sort((a,b)=>b.length-a.length).map(n=>n.replace(/[.*+?^${}()|[\\]\\\\]/" \
  "g,'\\\\$&')).join('|')||'(?!)'})(?!\\\\d)`);\n" \
  "function linkLines(pre){pre.replaceChildren(...pre.textContent.split(places).map(t=>{\n" \
  " if(!has(t))return t;const a=el('a',t);a.href='#line-'+encodeURIComponent(t);return a}))}\n"

extern const char *const cli_report_head; /* the part before the data */
extern const char *const cli_report_tail; /* the script that shows the data */

#endif
