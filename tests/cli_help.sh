# --help, manual pages and completion come from one table per verb. Prints TAP. Reads BUILD (the build directory).
. tests/tap.sh
BUILD=${BUILD:-build}
tessera=$BUILD/tessera
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
ok() { # WHAT: passes if the previous command succeeded
  status=$?
  number=$((number + 1))
  if [ $status -eq 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/log" 2> /dev/null | head -n 20
  fi
}
: > "$work/log"

"$tessera" man --list > "$work/pages" && [ "$(wc -l < "$work/pages")" -gt 10 ] && grep -qx tessera-run "$work/pages"
ok "tessera man lists the pages"

# A page lists all options of its verb's help, and troff prints no warning.
while read -r page; do
  verb=$(echo "$page" | sed 's/^tessera-*//; s/^\(pto\|chip\|kernel\)-/\1 /')
  # shellcheck disable=SC2086
  "$tessera" man "$page" > "$work/page.1" && "$tessera" $verb --help > "$work/help" &&
    if command -v man > /dev/null; then
      MANWIDTH=100 MANROFFOPT=-rHY=0 man -l -E ascii --warnings=w "$work/page.1" > "$work/text" 2> "$work/log"
      [ ! -s "$work/log" ] && grep -q '^EXAMPLE' "$work/text"
    fi && sed -n 's/^  \(--*[a-z][a-z-]*\) .*/\1/p' "$work/help" | while read -r option; do
      sed 's/\\-/-/g' "$work/page.1" | grep -qF -- ".B $option" || { echo "$page has no $option" >> "$work/log"; exit 1; }
    done
  ok "the page $page"
done < "$work/pages"

complete() { # WORDS...: the completions that bash offers for the last word
  bash -c 'source /dev/fd/3; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tessera; printf "%s\n" "${COMPREPLY[@]}"' \
    bash "$@" 3< "$work/completion.bash" > "$work/log" 2>&1
}
offers() { for word; do grep -qx -- "$word" "$work/log" || return 1; done; }

"$tessera" completion bash > "$work/completion.bash" && bash -n "$work/completion.bash" 2> "$work/log"
ok "the bash script is bash"
complete tessera '' && offers run exec asm dis isa conform pto man completion
ok "bash completes all verbs"
complete tessera co && offers conform completion && [ "$(wc -l < "$work/log")" -eq 2 ]
ok "bash completes the beginning of a verb"
complete tessera pto '' && offers run check explore sweep policies
ok "bash completes sub-verbs"
while read -r page; do
  verb=$(echo "$page" | sed 's/^tessera-*//; s/^\(pto\|chip\|kernel\)-/\1 /')
  # shellcheck disable=SC2086
  "$tessera" $verb --help | sed -n 's/^  \(--*[a-z][a-z-]*\) .*/\1/p' > "$work/options"
  # shellcheck disable=SC2086,SC2046
  complete tessera $verb - && offers --help $(cat "$work/options")
  ok "bash completes all options of $page"
done < "$work/pages"
complete tessera run --timing '' && offers off cycle
ok "bash completes values"
complete tessera run --timing = c && offers cycle && [ "$(wc -l < "$work/log")" -eq 1 ]
ok "bash completes values after ="
complete tessera run --elf tr && offers trisc0= trisc1= trisc2=
ok "bash completes cores"
complete tessera exec tests/asm/hand && offers tests/asm/handshake.tta
ok "bash completes files"
complete tessera run --json tests/asm/hand && offers tests/asm/handshake.tta
ok "bash completes files of options"
complete tessera run --elf trisc0 = tests/asm/hand && offers tests/asm/handshake.tta && complete tessera run --elf trisc0 = && offers tests
ok "bash completes the file of CORE=FILE"

"$tessera" completion zsh > "$work/completion.zsh" && { ! command -v zsh > /dev/null || zsh -n "$work/completion.zsh" 2> "$work/log"; } &&
  grep -q '^#compdef tessera' "$work/completion.zsh"
ok "the zsh script"
"$tessera" completion fish > "$work/completion.fish" && { ! command -v fish > /dev/null || fish -n "$work/completion.fish" 2> "$work/log"; } &&
  grep -q "^complete -c tessera -n '__fish_seen_subcommand_from run' -l elf -x" "$work/completion.fish"
ok "the fish script"
"$tessera" completion tcsh > "$work/out" 2> "$work/log"
[ $? -eq 2 ] && [ "$(wc -l < "$work/log")" -eq 1 ]
ok "another shell is refused in one line"
"$tessera" man tessera-nothing > "$work/out" 2> "$work/log"
[ $? -eq 2 ] && [ "$(wc -l < "$work/log")" -eq 1 ]
ok "an unknown page is refused in one line"
listed=0
for target in $(sed -n 's/^\([a-z-]*\):[^#]*## .*/\1/p' Makefile kernels/kernels.mk tests/conform.mk); do
  make -s help 2> "$work/log" | grep -q "^  make $target " || { listed=1 && echo "$target" >> "$work/log"; }
done
[ $listed -eq 0 ]
ok "make help lists the targets of included files"
echo "1..$number"
