# For every script that prints TAP, as its first command: `. tests/tap.sh`. The script runs again as a child, whose output passes through; a line
# "not ok", or fewer results than its plan counts, makes the exit status 1 whatever the script's last command was.
if [ -z "${TESSERA_TAP_CHILD:-}" ]; then
  tap_status=$(mktemp) || exit 1
  { TESSERA_TAP_CHILD=1 sh "$0" "$@"; echo $? > "$tap_status"; } | awk '
    { print; fflush() }
    /^not ok/ { bad = 1 }
    /^(not )?ok [0-9]+/ { seen++ }
    /^1\.\.[0-9]+$/ { planned += substr($0, 4) }
    END { exit bad || planned > seen }'
  tap_seen=$?
  read -r tap_exit < "$tap_status" || tap_exit=1
  rm -f "$tap_status"
  [ "$tap_exit" -ne 0 ] || tap_exit=$tap_seen
  exit "$tap_exit"
fi
unset TESSERA_TAP_CHILD
