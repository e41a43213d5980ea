# tuple of loss and prediction kept in a while loop, through list +=

import torch

torch.manual_seed(1)
net = torch.nn.GRU(4, 32, batch_first=True)
head = torch.nn.Linear(32, 4)
opt = torch.optim.Adam([*net.parameters(), *head.parameters()], lr=3e-3)
log = []
it = 0
while it < 250:
    seq = torch.randn(16, 20, 4)
    states, _ = net(seq[:, :-1])
    guess = head(states)
    loss = torch.nn.functional.mse_loss(guess, seq[:, 1:])
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    log += [(it, loss, guess)]  #! MEM102 warning
    it += 1
print(log[-1][1].item())
