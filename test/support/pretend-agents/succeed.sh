# Does what it was asked for.
task=${ORCHESTRA_OWNER##*.}
echo "working on $task"
echo "done by $task" > "$task.txt"
