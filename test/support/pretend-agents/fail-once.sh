# Gets it wrong, and right when it is told.
task=${ORCHESTRA_OWNER##*.}
if grep -q red "$task.txt" 2>/dev/null; then echo green > "$task.txt"; else echo red > "$task.txt"; fi
