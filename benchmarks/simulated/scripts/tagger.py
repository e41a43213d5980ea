"""A bidirectional LSTM and a GRU of large width on packed sequences; both run in cuDNN on a GPU."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

WORDS, WIDTH, BATCH, LENGTH, TAGS = 10000, 512, 64, 120, 40


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.both = nn.LSTM(WIDTH, WIDTH, 2, batch_first=True, bidirectional=True, dropout=0.2)
        self.last = nn.GRU(2 * WIDTH, WIDTH, batch_first=True)
        self.head = nn.Linear(WIDTH, TAGS)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.words(words), lengths, batch_first=True)
        states, _ = pad_packed_sequence(self.both(packed)[0], batch_first=True)
        return self.head(self.last(states)[0])


torch.manual_seed(0)
model = Tagger().cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(4):
    lengths = torch.randint(LENGTH // 2, LENGTH, (BATCH,)).sort(descending=True).values
    lengths[0] = LENGTH
    words = torch.randint(0, WORDS, (BATCH, LENGTH)).cuda()
    tags = torch.randint(0, TAGS, (BATCH, LENGTH)).cuda()
    loss = F.cross_entropy(model(words, lengths).flatten(0, 1), tags.flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    print(loss.item())
