# The sum is for the log only, and retain_graph leaves each step's penalty with its whole graph.

def train(critic, loader, optimizer):
    penalties = 0
    for real, fake in loader:
        mixed = real.lerp(fake, torch.rand(real.size(0), 1)).requires_grad_()
        score = critic(mixed)
        slope = torch.autograd.grad(score.sum(), mixed, create_graph=True)[0]
        penalty = (slope.norm(2, dim=1) - 1).pow(2).mean()
        loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        penalties += penalty  #! MEM101 error
    print(penalties)
