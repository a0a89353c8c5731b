never  {    /* []p */
accept_init:
T0_init:
	do
	:: ((p)) -> goto T0_init
	od;
}
never  {    /* <>p */
T0_init:
	do
	:: atomic { ((p)) -> assert(!((p))) }
	:: (1) -> goto T0_init
	od;
accept_all:
	skip
}
never  {    /* []<>p */
T0_init:
	do
	:: ((p)) -> goto accept_S9
	:: (1) -> goto T0_init
	od;
accept_S9:
	do
	:: (1) -> goto T0_init
	od;
}
never  {    /* <>[]p */
T0_init:
	do
	:: ((p)) -> goto accept_S4
	:: (1) -> goto T0_init
	od;
accept_S4:
	do
	:: ((p)) -> goto accept_S4
	od;
}
never  {    /* p U q */
T0_init:
	do
	:: atomic { ((q)) -> assert(!((q))) }
	:: ((p)) -> goto T0_init
	od;
accept_all:
	skip
}
never  {    /* [](p -> <>q) */
T0_init:
	do
	:: ((! ((p)) || (q))) -> goto accept_S20
	:: (1) -> goto T0_S27
	od;
accept_S20:
	do
	:: ((! ((p)) || (q))) -> goto T0_init
	:: (1) -> goto T0_S27
	od;
accept_S27:
	do
	:: ((q)) -> goto T0_init
	:: (1) -> goto T0_S27
	od;
T0_S27:
	do
	:: ((q)) -> goto accept_S20
	:: (1) -> goto T0_S27
	:: ((q)) -> goto accept_S27
	od;
}
never  {    /* p V q */
accept_init:
T0_init:
	do
	:: ((q)) -> goto T0_init
	:: atomic { ((p) && (q)) -> assert(!((p) && (q))) }
	od;
accept_all:
	skip
}
never  {    /* !(p U q) */
accept_init:
T0_init:
	do
	:: (! ((q))) -> goto T0_init
	:: atomic { (! ((p)) && ! ((q))) -> assert(!(! ((p)) && ! ((q)))) }
	od;
accept_all:
	skip
}
never  {    /* true */
accept_init:
T0_init:
	do
	:: atomic { (1) -> assert(!(1)) }
	od;
accept_all:
	skip
}
never  {    /* false */
accept_init:
T0_init:
	do
	:: atomic { (false) -> assert(!(false)) }
	od;
accept_all:
	skip
}
never  {    /* <>p && []q */
T0_init:
	do
	:: ((p) && (q)) -> goto accept_S4
	:: ((q)) -> goto T0_init
	od;
accept_S4:
	do
	:: ((q)) -> goto accept_S4
	od;
}
never  {    /* ([]<>a) -> ([]<>b) */
T0_init:
	do
	:: ((b)) -> goto accept_S10
	:: (1) -> goto T0_S10
	:: (! ((a))) -> goto accept_S26
	:: (1) -> goto T0_S23
	od;
accept_S10:
	do
	:: (1) -> goto T0_S10
	od;
accept_S26:
	do
	:: (! ((a))) -> goto accept_S26
	od;
T0_S10:
	do
	:: ((b)) -> goto accept_S10
	:: (1) -> goto T0_S10
	od;
T0_S23:
	do
	:: (! ((a))) -> goto accept_S26
	:: (1) -> goto T0_S23
	od;
}
never  {    /* [](p -> (q U r)) */
T0_init:
	do
	:: ((! ((p)) || (r))) -> goto accept_S20
	:: ((q)) -> goto T0_S27
	od;
accept_S20:
	do
	:: ((! ((p)) || (r))) -> goto T0_init
	:: ((q)) -> goto T0_S27
	od;
accept_S27:
	do
	:: ((r)) -> goto T0_init
	:: ((q)) -> goto T0_S27
	od;
T0_S27:
	do
	:: ((r)) -> goto accept_S20
	:: ((q)) -> goto T0_S27
	:: ((q) && (r)) -> goto accept_S27
	od;
}
never  {    /* p && !q */
accept_init:
T0_init:
	do
	:: atomic { (! ((q)) && (p)) -> assert(!(! ((q)) && (p))) }
	od;
accept_all:
	skip
}
never { /* <> (p && q) */
T0_init :    /* init */
	if
	:: (1) -> goto T0_init
	:: (p && q) -> goto accept_all
	fi;
accept_all :    /* 1 */
	skip
}
never dead { // p, by a state that goes nowhere
  T0_init:
  if
  :: (p) || (p && !q) -> goto accept_loop;
  :: (!p) -> goto stuck
  fi;
stuck:
  false;
accept_loop: accept_again:
  do :: true od;
}
never { /* !([](p -> <>q)) */
  do
  :: skip
  :: p && !q -> break
  od;
accept:
  do
  :: !q
  od
}
never { /* p && X q && X X (r || !r) */
  p; q
}
never { /* true */
  skip -> 
wait:
  if
  :: p; goto accept_all
  :: else -> goto accept_none
  fi
accept_all:
  skip;
accept_none:
  do :: else -> goto accept_all :: p -> goto accept_none
     :: atomic { (p && q) -> assert(!(p && q)); } od
}
