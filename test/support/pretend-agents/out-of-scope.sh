# Does its work, and something that nobody asked for.
task=${ORCHESTRA_OWNER##*.}
echo "done by $task" > "$task.txt"
echo improved > unasked.txt
