package proof

// SetLimit sets the number of words above which a batch checks its older half.
func (b *Batch) SetLimit(words int) { b.least, b.limit = words, words }

// Lemmas returns the number of lemmas that were checked.
func (b *Batch) Lemmas() int {
	b.wait()
	return b.c.lemmas
}
