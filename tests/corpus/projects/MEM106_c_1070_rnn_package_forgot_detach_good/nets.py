import torch
import torch.nn as nn


class Speaker(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(40, 256, 2)
        self.out = nn.Linear(256, 40)

    def forward(self, x, state):
        y, state = self.lstm(x, state)
        return self.out(y), state

    def zero_state(self, n):
        return torch.zeros(2, n, 256), torch.zeros(2, n, 256)
