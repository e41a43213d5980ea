import torch

x = torch.randn(100, 5)
y = x @ torch.tensor([1., 2., 0., -1., 3.])
w = torch.nn.Linear(5, 1)
opt = torch.optim.SGD(w.parameters(), lr=0.1)
loss = (w(x).squeeze(1) - y).pow(2).mean()
loss.backward()
opt.step()
print("one step", loss.item(), w.weight.data)
for name, p in w.named_parameters():
    print(name, p.grad.norm().item())
