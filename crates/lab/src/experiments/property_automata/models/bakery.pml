/* Lamport's bakery for three processes; a process with too large a ticket waits for the others.
   p: process 0 is critical; q: process 0 is idle; r: two processes are critical. */
#define N 3
#define MOST 5

bool choosing[N];
byte ticket[N];
bool critical[N];

#define p (critical[0])
#define q (ticket[0] == 0 && !choosing[0])
#define r (critical[0] + critical[1] + critical[2] > 1)

active [N] proctype P()
{
	byte k, most;

idle:	choosing[_pid] = true;
	most = 0;
	k = 0;
	do
	:: k < N && ticket[k] > most -> most = ticket[k]; k++
	:: k < N && ticket[k] <= most -> k++
	:: k == N -> break
	od;
	if
	:: most < MOST -> ticket[_pid] = most + 1
	:: most == MOST -> choosing[_pid] = false; goto idle
	fi;
	choosing[_pid] = false;
	k = 0;
	do
	:: k < N && !choosing[k] && (k == _pid || ticket[k] == 0 || ticket[k] > ticket[_pid]
		|| (ticket[k] == ticket[_pid] && k > _pid)) -> k++
	:: k == N -> break
	od;
	critical[_pid] = true;
	critical[_pid] = false;
	ticket[_pid] = 0;
	goto idle
}
