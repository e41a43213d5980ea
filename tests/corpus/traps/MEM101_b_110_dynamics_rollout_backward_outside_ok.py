import torch


def train(policy, dynamics, cost, opt, s0, iters, T):
    for it in range(iters):
        s, J, traj = s0.clone(), 0.0, []
        for t in range(T):
            a = policy(s)
            s = dynamics(s, a)
            traj.append(s)
            J = J + cost(s, a).mean()
        J = J + torch.stack(traj).var(0).mean()
        opt.zero_grad()
        J.backward()
        opt.step()
        if it % 10 == 0:
            print(it, J.item())
