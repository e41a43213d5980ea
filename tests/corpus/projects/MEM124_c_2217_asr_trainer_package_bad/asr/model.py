import torch.nn as nn


class SpeechModel(nn.Module):
    def __init__(self, mel=80, hidden=256, vocab=32):
        super().__init__()
        self.conv = nn.Conv1d(mel, hidden, 3, 2, 1)
        self.rnn = nn.LSTM(hidden, hidden, 3, batch_first=True, bidirectional=True)
        self.proj = nn.Linear(2 * hidden, vocab)

    def forward(self, x):
        h, _ = self.rnn(self.conv(x).transpose(1, 2))
        return self.proj(h).log_softmax(-1)
