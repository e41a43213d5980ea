import glob

import cv2
import torch
import torch.utils.data
from torch import nn, optim


class Frames(torch.utils.data.Dataset):
    def __init__(self, pattern):
        self.paths = sorted(glob.glob(pattern))

    def __len__(self):
        return len(self.paths) - 1

    def _read(self, i):
        img = cv2.imread(self.paths[i])
        img = cv2.resize(cv2.cvtColor(img, cv2.COLOR_BGR2RGB), (512, 256))
        return torch.from_numpy(img).permute(2, 0, 1).float().div_(255)

    def __getitem__(self, i):
        return self._read(i), self._read(i + 1)


class FlowTrainer:
    def __init__(self, net, pattern):
        self.net = net.cuda()
        self.train_loader = torch.utils.data.DataLoader(Frames(pattern), batch_size=8, shuffle=True)  #! MEM401
        self.optimizer = optim.Adam(net.parameters(), lr=1e-4)

    def train(self, epochs):
        for _ in range(epochs):
            for a, b in self.train_loader:
                self.optimizer.zero_grad()
                flow, warped = self.net(a.cuda(), b.cuda())
                loss = (warped - b.cuda()).abs().mean()
                loss.backward()
                self.optimizer.step()


if __name__ == "__main__":
    from pwc import PWCNet
    FlowTrainer(PWCNet(), "frames/*.png").train(20)
