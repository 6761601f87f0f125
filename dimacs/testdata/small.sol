c A model of small.cnf.
s SATISFIABLE
v 1 2
v -3 0
