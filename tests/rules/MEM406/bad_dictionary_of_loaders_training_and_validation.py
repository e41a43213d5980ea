# a dictionary of loaders, training and validation in turns

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(20, 3)

    def forward(self, x):
        return self.fc(x)


full = TensorDataset(torch.randn(600, 20), torch.randint(0, 3, (600,)))
parts = dict(zip(("train", "val"), random_split(full, [500, 100])))
dataloaders = {
    phase: DataLoader(parts[phase], batch_size=50, shuffle=True, num_workers=4)  #! MEM406 advice
    for phase in ("train", "val")
}
model = Classifier()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(200):
    for phase in ("train", "val"):
        model.train(phase == "train")
        hits = 0
        for inputs, labels in dataloaders[phase]:
            with torch.set_grad_enabled(phase == "train"):
                out = model(inputs)
                loss = F.cross_entropy(out, labels)
                if phase == "train":
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            hits += (out.argmax(1) == labels).sum().item()
        print(epoch, phase, hits)
