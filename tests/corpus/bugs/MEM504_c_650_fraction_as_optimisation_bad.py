import torch
import torch.nn as nn

device = torch.device("cuda:0")
torch.cuda.set_per_process_memory_fraction(0.6, 0)  #! MEM504 # optimize GPU memory usage
model = nn.Sequential(nn.Linear(1000, 1000), nn.ReLU(), nn.Linear(1000, 10)).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(100):
    optimizer.zero_grad()
    loss = criterion(model(torch.randn(64, 1000, device=device)), torch.randint(0, 10, (64,), device=device))
    loss.backward()
    optimizer.step()
