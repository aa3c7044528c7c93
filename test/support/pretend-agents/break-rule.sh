# Leaves its debugging behind, and takes it out when it is told.
task=${ORCHESTRA_OWNER##*.}
if grep -q 'console' "$task.txt" 2>/dev/null; then echo "done by $task" > "$task.txt"; else echo 'console.log(1)' > "$task.txt"; fi
