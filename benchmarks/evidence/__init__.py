"""One small script per rule, replayed: what each rule predicts beside what was measured."""
