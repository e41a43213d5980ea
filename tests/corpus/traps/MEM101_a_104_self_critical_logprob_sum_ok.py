import torch


def sample_sequence(model, img, max_len):
    state, tok, seq, logps = model.init(img), model.bos(img), [], []
    for _ in range(max_len):
        logits, state = model.step(tok, state)
        dist = torch.distributions.Categorical(logits=logits)
        tok = dist.sample()
        seq.append(tok)
        logps.append(dist.log_prob(tok))
    return torch.stack(seq, 1), torch.stack(logps, 1)


def scst(model, loader, reward, opt, max_len=20):
    for img, refs in loader:
        with torch.no_grad():
            base, _ = sample_sequence(model, img, max_len)
        seq, logp = sample_sequence(model, img, max_len)
        adv = reward(seq, refs) - reward(base, refs)
        loss = -(adv.unsqueeze(1) * logp).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
