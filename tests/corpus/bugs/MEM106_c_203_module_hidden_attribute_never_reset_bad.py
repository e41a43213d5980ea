import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SpeechLSTM(nn.Module):
    def __init__(self, feat=13, hidden_dim=40, classes=5, batch=4):
        super().__init__()
        self.batch, self.hidden_dim = batch, hidden_dim
        self.lstm = nn.LSTM(feat, hidden_dim)
        self.hidden2tag = nn.Linear(hidden_dim, classes)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        return (torch.zeros(1, self.batch, self.hidden_dim), torch.zeros(1, self.batch, self.hidden_dim))

    def forward(self, x):
        lstm_out, hidden = self.lstm(x.transpose(0, 1), self.hidden)  #! MEM106
        self.hidden = hidden
        return self.hidden2tag(lstm_out[-1])


def train(model, device, train_loader, optimizer, epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(train_loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = nn.functional.cross_entropy(output, target)
        loss.backward(retain_graph=True)  #? MEM108
        optimizer.step()


def main():
    device = torch.device("cpu")
    model = SpeechLSTM().to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    loader = DataLoader(TensorDataset(torch.randn(40, 9, 13), torch.randint(0, 5, (40,))), batch_size=4)
    for epoch in range(1, 3):
        train(model, device, loader, optimizer, epoch)


if __name__ == "__main__":
    main()
