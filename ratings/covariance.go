package ratings

import "gonum.org/v1/gonum/mat"

// sandwich sets the variance that is robust against dependence within deals.
func (f *Fit) sandwich(factor *mat.Cholesky) error {
	meat := f.meat()
	half := new(mat.Dense)
	if err := exact(factor.SolveTo(half, meat)); err != nil {
		return err
	}
	full := new(mat.Dense)
	if err := exact(factor.SolveTo(full, half.T())); err != nil {
		return err
	}
	deals := float64(len(f.sums.deals))
	for i := range f.model.size {
		for j := i; j < f.model.size; j++ {
			f.variance.SetSym(i, j, deals/max(deals-1, 1)*(full.At(i, j)+full.At(j, i))/2)
		}
	}
	return nil
}

// meat returns the sum of the squared gradients of the deals.
func (f *Fit) meat() *mat.SymDense {
	expected := make([]float64, len(f.sums.pairs))
	for i := range expected {
		expected[i] = logistic(f.model.pairs[i].at(f.solution))
	}
	meat := mat.NewSymDense(f.model.size, nil)
	sum := newSparse(f.model.size)
	for _, kind := range f.sums.kinds {
		for _, part := range f.sums.parts[kind.parts.from:kind.parts.to] {
			residual := float64(part.score) - float64(part.weight)*expected[part.pair]
			params, signs, n := f.model.pairs[part.pair].signed()
			for i := range n {
				sum.add(params[i], signs[i]*residual/gameUnits)
			}
		}
		sum.addSquare(meat, float64(kind.deals.to-kind.deals.from))
		sum.clear()
	}
	return meat
}

// sparse is a vector that is mostly zero.
type sparse struct {
	values  []float64
	touched []int32 // where it may not be, in the order of the first visit
	marked  []bool
}

func newSparse(size int) *sparse {
	return &sparse{values: make([]float64, size), marked: make([]bool, size)}
}

func (s *sparse) add(at int32, value float64) {
	s.values[at] += value
	if !s.marked[at] {
		s.marked[at] = true
		s.touched = append(s.touched, at)
	}
}

// addSquare adds the outer product of the vector with itself, so many times.
func (s *sparse) addSquare(to *mat.SymDense, times float64) {
	raw := to.RawSymmetric()
	for _, i := range s.touched {
		for _, j := range s.touched {
			if i <= j { // the upper triangle is all that counts
				raw.Data[int(i)*raw.Stride+int(j)] += times * s.values[i] * s.values[j]
			}
		}
	}
}

func (s *sparse) clear() {
	for _, at := range s.touched {
		s.values[at], s.marked[at] = 0, false
	}
	s.touched = s.touched[:0]
}
