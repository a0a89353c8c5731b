/* Anderson's queue lock: a ring of slots, one of which may enter.
   p: process 0 is critical; q: process 0 is idle; r: two processes are critical. */
#define N 4

bool free[N];
byte next;
bool waiting[N];
bool critical[N];

#define p (critical[0])
#define q (!waiting[0] && !critical[0])
#define r (critical[0] + critical[1] + critical[2] + critical[3] > 1)

init {
	free[0] = true;
	atomic { run P(0); run P(1); run P(2); run P(3) }
}

proctype P(byte me)
{
	byte slot;

idle:	atomic { slot = next; next = (next + 1) % N; waiting[me] = true };
	free[slot];
	atomic { waiting[me] = false; critical[me] = true };
	free[slot] = false;
	atomic { critical[me] = false; free[(slot + 1) % N] = true };
	goto idle
}
