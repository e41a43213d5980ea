import higher
import torch
import torch.nn.functional as F


def train(db, net, meta_opt, n_inner=5, iters=100):
    inner_opt = torch.optim.SGD(net.parameters(), lr=1e-1)
    for batch_idx in range(iters):
        x_spt, y_spt, x_qry, y_qry = db.next()
        qry_losses = []
        meta_opt.zero_grad()
        for i in range(x_spt.size(0)):
            with higher.innerloop_ctx(net, inner_opt, copy_initial_weights=False) as (fnet, diffopt):
                for _ in range(n_inner):
                    spt_loss = F.cross_entropy(fnet(x_spt[i]), y_spt[i])
                    diffopt.step(spt_loss)
                qry_loss = F.cross_entropy(fnet(x_qry[i]), y_qry[i])
                qry_losses.append(qry_loss.detach())
                qry_loss.backward()
        meta_opt.step()
        print(batch_idx, sum(qry_losses).item() / len(qry_losses))
