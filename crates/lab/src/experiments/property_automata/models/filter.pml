/* A filter lock: N processes pass N - 1 levels; the last one to come to a level waits.
   p: process 0 is critical; q: process 0 is idle; r: two processes are critical. */
#define N 3

byte level[N];
byte last[N];
bool critical[N];

#define p (critical[0])
#define q (level[0] == 0)
#define r (critical[0] + critical[1] + critical[2] > 1)

active [N] proctype P()
{
	byte l, k;

idle:	l = 1;
	do
	:: l < N ->
		level[_pid] = l;
		last[l] = _pid;
		k = 0;
		do
		:: k < N && (k == _pid || level[k] < l || last[l] != _pid) -> k++
		:: k == N -> break
		od;
		l++
	:: l == N -> break
	od;
	critical[_pid] = true;
	critical[_pid] = false;
	level[_pid] = 0;
	goto idle
}
