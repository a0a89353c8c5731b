/* Leader election in a ring by Chang and Roberts; the leader resigns, and the ring starts again.
   p: there is a leader; q: process 0 takes part; r: there are two leaders. */
#define N 3

chan ring[N] = [2 * N] of { byte };
byte leaders;
bool active0;

#define p (leaders > 0)
#define q (active0)
#define r (leaders > 1)

active [N] proctype P()
{
	byte other;
	bool sent;

	do
	:: !sent && leaders == 0 && empty(ring[(_pid + 1) % N]) ->
		atomic {
			sent = true;
			if
			:: _pid == 0 -> active0 = true
			:: else -> skip
			fi;
			ring[(_pid + 1) % N] ! _pid
		}
	:: ring[_pid] ? other ->
		if
		:: other > _pid -> ring[(_pid + 1) % N] ! other
		:: other < _pid -> skip
		:: other == _pid -> leaders++; leaders--
		fi;
		atomic {
			sent = false;
			if
			:: _pid == 0 -> active0 = false
			:: else -> skip
			fi
		}
	od
}
