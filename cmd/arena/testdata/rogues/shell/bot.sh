# Plays, and in its first turns starts daemons that leave session, parent and environment behind, and leaves files. It ends
# without a word some day, and does not care for quit.
mark=$(cat mark)
turns=0
while read -r message; do
	case $message in
	'{"type":"hello"'*) echo '{"type":"ready"}' ;;
	'{"type":"turn"'*)
		turns=$((turns + 1))
		note=
		if [ $turns -le 4 ]; then
			setsid sleep 1000 &
			env -i setsid sh -c 'sleep 1000 & exec sleep 1000' </dev/null >/dev/null 2>&1 &
			(trap '' HUP TERM INT; setsid sleep 1000 &) &
			echo left >"/tmp/$mark.sh" && echo left >"/dev/shm/$mark.sh" && note=left
		fi
		[ $(($(od -An -N1 -tu1 /dev/urandom))) -lt 30 ] && exit 3
		turn=${message#*'"turn":'}
		echo '{"type":"move","turn":'"${turn%%,*}"',"action":0,"note":"shell '$note'"}'
		;;
	esac
done
