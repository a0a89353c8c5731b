/* Peterson's algorithm for two processes.
   p: process 0 is critical; q: process 0 is idle; r: both processes are critical. */
bool wants[2];
bool critical[2];
bit turn;

#define p (critical[0])
#define q (!wants[0])
#define r (critical[0] && critical[1])

active [2] proctype P()
{
idle:	wants[_pid] = true;
	turn = 1 - _pid;
	(!wants[1 - _pid] || turn == _pid);
	critical[_pid] = true;
	critical[_pid] = false;
	wants[_pid] = false;
	goto idle
}
