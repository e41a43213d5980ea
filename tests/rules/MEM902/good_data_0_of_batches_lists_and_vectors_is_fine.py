# data[0] of batches, lists and vectors is fine

import torch

dataset = [(torch.randn(4), torch.tensor(1))]
data = torch.randn(3, 4)
first = data[0]
sample = dataset[0]
weights = torch.nn.Linear(4, 3).weight.data[0]
out = torch.nn.Linear(4, 3)(data).data[0]
batch = {"data": data}
print(first, sample, weights, out, batch["data"][0])
