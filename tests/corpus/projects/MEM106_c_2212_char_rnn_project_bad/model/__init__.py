from model.rnn import CharRNN
