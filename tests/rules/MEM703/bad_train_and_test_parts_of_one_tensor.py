# train and test parts of one tensor, each into its own file

import torch

data = torch.randn(60_000, 28, 28)
count = int(0.8 * len(data))
train, test = data[:count], data[count:]
torch.save(test, "test.pt")  #! MEM703 warning
torch.save(train.clone(), "train.pt")
