"""An image rendered in pieces, statistics of the rows of one batch, texts that make one batch."""
import torch
from torch import nn


@torch.no_grad()
def render(field, rays, device, batch_size=4096):
    rays = rays.to(device)
    n_batches = rays.shape[1] // batch_size
    pixels = []
    for i in range(n_batches):
        piece = rays[:, i * batch_size : (i + 1) * batch_size]
        pixels.append(field(piece.to(device)))
    return torch.cat(pixels, dim=1)


class Normalise(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.scale = nn.Linear(1, 1)

    def forward(self, x, lengths):
        n_batches = x.shape[0]
        means = []
        for i in range(n_batches):
            part = x[i, : int(lengths[i])].to(self.device)
            means.append(self.scale(part.mean(0, keepdim=True)).detach())
        return x - torch.stack(means).mean(0)


class Speaker:
    def __init__(self, net):
        self.net = net.cuda().eval()

    @torch.no_grad()
    def speak(self, texts_batch):
        sequences, longest = [], 0
        for text in texts_batch:
            marks = self.net(torch.LongTensor([ord(c) for c in text]).cuda()).int().tolist()
            sequence = torch.LongTensor(marks).cuda()
            sequences.append(sequence)
            longest = max(longest, len(sequence))
        padded = torch.zeros(len(texts_batch), longest, dtype=torch.long).cuda()
        for row, sequence in enumerate(sequences):
            padded[row, : len(sequence)] = sequence
        return self.net(padded)
