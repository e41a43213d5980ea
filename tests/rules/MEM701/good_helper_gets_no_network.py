# What the function out of view does with the loaded value is not known: it gets no network.

from helpers import cuda, load_words, show_state
from networks import Encoder

encoder = cuda(Encoder(64))
table = torch.load("table.pt")
words = load_words("words.txt", table)
state = torch.load("state.pt")
show_state(encoder, state)
