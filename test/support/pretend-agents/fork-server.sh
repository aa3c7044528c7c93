# Leaves something running when it ends, which does not want to be stopped.
task=${ORCHESTRA_OWNER##*.}
setsid sh -c 'trap "" TERM HUP; while :; do sleep 1; done' >/dev/null 2>&1 &
{ echo "$!" > "$HOME/forked"; } 2>/dev/null
echo "done by $task" > "$task.txt"
