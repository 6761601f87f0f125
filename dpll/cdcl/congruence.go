package cdcl

// closeCongruence runs congruence closure (package congruence), which merges the
// outputs of gates with the same kind and inputs.
func (s *Solver) closeCongruence(budget int64) {
	st := s.passes.congruence.Run(host{s}, budget)
	s.stats.CongruenceAnds += st.Ands
	s.stats.CongruenceIfs += st.Ifs
	s.stats.CongruenceMajs += st.Majs
	s.stats.CongruenceXors += st.Xors
	s.stats.CongruenceMerged += st.Merged
	s.stats.CongruenceReduced += st.Reduced
	s.stats.CongruenceShort += st.Short
	s.stats.CongruenceUnits += st.Units
}
