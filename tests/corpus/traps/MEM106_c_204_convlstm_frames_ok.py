import torch
from torch import nn


class ConvLSTMCell(nn.Module):
    def __init__(self, cin, chid):
        super().__init__()
        self.chid = chid
        self.gates = nn.Conv2d(cin + chid, 4 * chid, 3, padding=1)

    def forward(self, x, state):
        h, c = state
        i, f, o, g = self.gates(torch.cat([x, h], 1)).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        return h, (h, c)


class VideoPredictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.ModuleList([ConvLSTMCell(1, 8), ConvLSTMCell(8, 8)])
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, clip):
        b, t, _, hgt, wid = clip.shape
        states = [(clip.new_zeros(b, 8, hgt, wid), clip.new_zeros(b, 8, hgt, wid)) for _ in self.cells]
        frames = []
        for k in range(t):
            x = clip[:, k]
            for n, cell in enumerate(self.cells):
                x, states[n] = cell(x, states[n])
            frames.append(self.out(x))
        return torch.stack(frames, 1)


net = VideoPredictor()
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
for step in range(20):
    clip = torch.rand(2, 6, 1, 16, 16)
    loss = nn.functional.mse_loss(net(clip[:, :-1]), clip[:, 1:])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
