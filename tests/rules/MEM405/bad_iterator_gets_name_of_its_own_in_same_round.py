# the iterator gets a name of its own, in the same round

import torch
import torch.utils.data as data


def make_loader(ds):
    return data.DataLoader(ds, batch_size=8, num_workers=4, shuffle=True)


gen = torch.nn.Linear(16, 64)
disc = torch.nn.Linear(64, 1)
opt_d = torch.optim.Adam(disc.parameters())
opt_g = torch.optim.Adam(gen.parameters())
loader = make_loader([torch.randn(64) for _ in range(500)])
step = 0
while step < 5000:
    for _ in range(5):
        batches = iter(loader)  #! MEM405 error
        real = next(batches)
        fake = gen(torch.randn(len(real), 16)).detach()
        loss_d = disc(fake).mean() - disc(real).mean()
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()
    loss_g = -disc(gen(torch.randn(8, 16))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    step += 1
