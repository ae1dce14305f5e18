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

/* The timeline on the canvas of that name: timeline.load(marks) draws the lines of TESSERA_TRACE_COMPACT. */
/* clang-format off */
#define CLI_TIMELINE \
  "// the timeline\n" \
  "const timeline=(()=>{\n" \
  "let tracks,names,arrows,rows=[],end=0,count=0,from=0,to=1,wanted='',hits=[],hit=-1,ink=null;\n" \
  "const canvas=$('timeline'),g=canvas.getContext('2d');\n" \
  "function load(text){tracks=new Map();names=[];arrows=[];const begun=new Map();let now=0,cut=false;end=count=0;\n" \
  "for(const row of text.split('\\n')){if(!row)continue;const k=row[0],p=row.split(' ');\n" \
  " if(k==='T'){tracks.set(+p[1],{name:row.slice(3+p[1].length),slices:[],open:[],points:[],top:1});continue}\n" \
  " if(k==='N'){names[+p[1]]=row.slice(3+p[1].length).replace(/\\\\u003c/g,'<');continue}\n" \
  " if(k==='X'){cut=true;continue}\n" \
  " if(k==='A'){if(p[3]==='0')begun.set(p[2],[now,tracks.get(+p[1])]);\n" \
  "  else if(begun.has(p[2]))arrows.push([...begun.get(p[2]),now,tracks.get(+p[1])]);continue}\n" \
  " const t=tracks.get(+p[1]);now+=+p[2];end=Math.max(end,now);count++;\n" \
  " if(k==='B')t.open.push([now,+p[3]]);\n" \
  " else if(k==='E'){const b=t.open.pop();if(b)t.slices.push([b[0],now,b[1],t.open.length])}\n" \
  " else if(k==='C'){t.points.push([now,+p[3]]);t.top=Math.max(t.top,+p[3])}}\n" \
  "for(const t of tracks.values()){while(t.open.length){const b=t.open.pop();t.slices.push([b[0],end,b[1],t.open.length])}\n" \
  " t.slices.sort((a,b)=>a[0]-b[0])}\n" \
  "$('cut').textContent=cut?`The timeline ends at cycle ${end}: the page has room for 16 MB of it. Verdict, accounts and source " \
  "lines are of the whole run; --trace FILE has all of the timeline.`:'';\n" \
  "rows=[...tracks.entries()].sort((a,b)=>a[0]-b[0]).map(e=>e[1]);from=0;to=Math.max(1,end);\n" \
  "document.body.dataset.marks=count;document.body.dataset.arrows=arrows.length;find(wanted);draw()}\n" \
  "const LEFT=150,ROW=20;\n" \
  "const lower=(s,x)=>{let a=0,b=s.length;while(a<b){const m=(a+b)>>1;if(s[m][1]<x)a=m+1;else b=m}return a};\n" \
  "function draw(){const " \
  "w=canvas.width=canvas.clientWidth*devicePixelRatio,h=canvas.height=Math.max(420,rows.length*ROW+44)*devicePixelRatio;\n" \
  " canvas.style.height=h/devicePixelRatio+'px';g.scale(devicePixelRatio,devicePixelRatio);const " \
  "W=w/devicePixelRatio,fg=ink||getComputedStyle(document.body).color;\n" \
  " g.font='11px ui-monospace,monospace';g.textBaseline='middle';const x=t=>LEFT+(t-from)/(to-from)*(W-LEFT);\n" \
  " // the axis: a round number of cycles between two marks\n" \
  " const " \
  "least=(to-from)/8,power=10**Math.floor(Math.log10(least)),step=Math.max(1,power*[1,2,5,10].find(k=>k*power>=least));\n" \
  " g.strokeStyle=g.fillStyle=fg;for(let t=Math.ceil(from/step)*step;t<=to;t+=step){g.globalAlpha=0.18;g.beginPath();" \
  "g.moveTo(x(t),0);g.lineTo(x(t),rows.length*ROW+4);g.stroke();g.globalAlpha=1;\n" \
  "  const " \
  "text=String(t),end=g.measureText(text).width;g.fillText(text,Math.min(x(t)-end/2,W-end-2),rows.length*ROW+12)}\n" \
  " rows.forEach((t,i)=>{const y=i*ROW+2;g.fillStyle=fg;g.fillText(t.name.slice(0,22),2,y+8);let last=-1;\n" \
  "  for(let k=lower(t.slices,from);k<t.slices.length;k++){const [a,b,n,depth]=t.slices[k];if(a>to)break;\n" \
  "   const x0=Math.max(LEFT,x(a)),x1=Math.min(W,x(b));if(x1-x0<0.5&&x1-last<0.5)continue;last=x1;\n" \
  "   " \
  "g.fillStyle=wanted&&names[n].toLowerCase().includes(wanted)?'#e4572e':hue(names[n]);g.fillRect(x0,y+depth*3,Math.max(0." \
  "5,x1-x0),15-depth*3);\n" \
  "   " \
  "if(x1-x0>40){g.fillStyle='#fff';g.save();g.beginPath();g.rect(x0,y,x1-x0,16);g.clip();g.fillText(names[n],x0+2,y+8);g." \
  "restore()}}\n" \
  "  if(t.points.length){const top=t.top;g.strokeStyle=hue(t.name);g.beginPath();let " \
  "v=0,first=true;\n" \
  "   for(const [a,b] of t.points){if(a>to)break;if(a>=from){const " \
  "X=x(a);if(first){g.moveTo(LEFT,y+16-14*v/top);first=false}g.lineTo(X,y+16-14*v/top);g.lineTo(X,y+16-14*b/top)}v=b}\n" \
  "   if(first)g.moveTo(LEFT,y+16-14*v/top);g.lineTo(W,y+16-14*v/top);g.stroke()}});\n" \
  " // arrows: from a push or post to its pop or get; none when there would be too many to see\n" \
  " const " \
  "seen=arrows.filter(a=>a[2]>=from&&a[0]<=to);if(seen.length<=400){g.save();g.beginPath();g.rect(LEFT,0,W-LEFT,rows." \
  "length*ROW);g.clip();" \
  "g.strokeStyle=fg;g.globalAlpha=0.45;\n" \
  "  for(const [t0,a,t1,b] of " \
  "seen){g.beginPath();g.moveTo(x(t0),rows.indexOf(a)*ROW+10);g.lineTo(x(t1),rows.indexOf(b)*ROW+" \
  "10);g.stroke()}g.restore()}\n" \
  " g.fillStyle=fg;g.fillText(`cycles ${Math.round(from)} to ${Math.round(to)} of ${end}; ${count} " \
  "marks`,LEFT,rows.length*ROW+30)}\n" \
  "function zoom(f,at){const " \
  "span=Math.max(4,Math.min(end,(to-from)*f)),r=(at-from)/" \
  "(to-from);from=Math.max(0,at-r*span);to=Math.min(end,from+span);from=Math.max(0,to-span);draw()}\n" \
  "function pan(d){const s=to-from;from=Math.max(0,Math.min(end-s,from+d*s));to=from+s;draw()}\n" \
  "const at=e=>from+(Math.max(LEFT,e.offsetX)-LEFT)/(canvas.clientWidth-LEFT)*(to-from);\n" \
  "canvas.addEventListener('wheel',e=>{e.preventDefault();zoom(e.deltaY>0?1.25:0.8,at(e))},{passive:false});\n" \
  "let held=null;canvas.addEventListener('pointerdown',e=>{held=e.offsetX;canvas.setPointerCapture(e.pointerId)});\n" \
  "canvas.addEventListener('pointermove',e=>{if(held!==null){pan((held-e.offsetX)/" \
  "(canvas.clientWidth-LEFT));held=e.offsetX}\n" \
  " else{const t=rows[Math.floor((e.offsetY-2)/ROW)],c=at(e);if(!t)return;const " \
  "s=t.slices.find(s=>s[0]<=c&&c<s[1]);canvas.title=s?`${names[s[2]]}: ${s[0]} to ${s[1]}`:''}});\n" \
  "canvas.addEventListener('pointerup',()=>held=null);canvas.tabIndex=0;\n" \
  "canvas.addEventListener('keydown',e=>{const " \
  "k={'+':()=>zoom(0.5,(from+to)/2),'-':()=>zoom(2,(from+to)/" \
  "2),ArrowLeft:()=>pan(-0.2),ArrowRight:()=>pan(0.2),Home:()=>{from=0;to=end;draw()}}[e.key];if(k){e.preventDefault();k()" \
  "}});\n" \
  "function find(what){wanted=what;hits=[];hit=-1;\n" \
  " if(wanted)for(const t of rows)for(const s of t.slices)if(names[s[2]].toLowerCase().includes(wanted))hits.push(s);\n" \
  " hits.sort((a,b)=>a[0]-b[0]);$('hits').textContent=wanted?`${hits.length} found`:''}\n" \
  "$('search').addEventListener('input',e=>{find(e.target.value.toLowerCase());draw()});\n" \
  "$('search').addEventListener('keydown',e=>{if(e.key!=='Enter'||!hits.length)return;hit=(hit+1)%hits.length;const " \
  "s=hits[hit],span=Math.max(50,4*(s[1]-s[0]));\n" \
  " from=Math.max(0,s[0]-span/2);to=Math.min(end,from+span);draw()});\n" \
  "addEventListener('beforeprint',()=>{ink='#000';draw()});addEventListener('afterprint',()=>{ink=null;draw()});\n" \
  "matchMedia('(prefers-color-scheme:dark)').addEventListener('change',draw);\n" \
  "addEventListener('resize',draw);\n" \
  "return {load,zoom,pan,range:()=>[from,to],hits:()=>hits.length,rows:()=>rows.map(r=>r.name)}})();\n"
/* clang-format on */

extern const char *const cli_report_head; /* the part before the data */
extern const char *const cli_report_tail; /* the script that shows the data */

#endif
