# full-batch training counts epochs over fixed tensors

import torch

features, labels = torch.randn(200, 10), torch.randint(0, 3, (200,))
gcn = torch.nn.Linear(10, 3)
optimizer = torch.optim.Adam(gcn.parameters(), lr=0.01)
for epoch in range(200):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(gcn(features), labels)
    loss.backward()
    optimizer.step()
