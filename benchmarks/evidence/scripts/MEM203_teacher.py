# claim: PEAK, expected: confirmed (what a forward pass of the teacher saves)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


def network(width):
    return nn.Sequential(
        nn.Linear(32, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 10)
    )


teacher, student = network(512).to(device), network(32).to(device)
teacher.eval()
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for _ in range(25):
    x = torch.randn(256, 32, device=device)
    wanted = teacher(x)
    loss = nn.functional.mse_loss(student(x), wanted.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
