# Gets it wrong every time, each time in another way.
task=${ORCHESTRA_OWNER##*.}
echo 'red' >> "$task.txt"
