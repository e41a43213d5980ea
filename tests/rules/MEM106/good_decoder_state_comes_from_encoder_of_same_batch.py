# encoder and decoder: the decoder's state comes from the encoder of the same batch

import torch
from torch import nn

encoder, decoder, word = nn.GRU(6, 10), nn.GRU(6, 10), nn.Linear(10, 6)
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters(), *word.parameters()])
for source, target in [(torch.randn(5, 2, 6), torch.randn(7, 2, 6)) for _ in range(6)]:
    _, state = encoder(source)
    token, loss = torch.zeros(1, 2, 6), 0.0
    for t in range(len(target)):
        out, state = decoder(token, state)
        token = word(out)
        loss += nn.functional.mse_loss(token[0], target[t])
    opt.zero_grad()
    loss.backward()
    opt.step()
