# The name reads as a loss, but an optimizer of its own has its parameters: a critic.

from networks import Critic, Generator

crit = Critic(1).to(device)
gen = Generator(64).to(device)
crit_opt = torch.optim.Adam(crit.parameters(), lr=2e-4)
gen_opt = torch.optim.Adam(gen.parameters(), lr=2e-4)
for real, _ in loader:
    real = real.to(device)
    crit_opt.zero_grad()
    fake = gen(torch.randn(len(real), 64, device=device))
    loss = crit(fake).mean() - crit(real).mean()  #! MEM204
    loss.backward()
    crit_opt.step()
    gen_opt.zero_grad()
    loss = -crit(gen(torch.randn(len(real), 64, device=device))).mean()
    loss.backward()
    gen_opt.step()
