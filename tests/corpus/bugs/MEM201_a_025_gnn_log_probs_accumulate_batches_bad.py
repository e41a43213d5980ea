import torch
import torch.nn.functional as F


def evaluate_reconstruction(vgae, graphs, device):
    was_training = vgae.training
    vgae.eval()
    nll = 0.
    n_edges = 0
    for g in graphs:
        g = g.to(device)
        z = vgae.encode(g.x, g.edge_index)  #! MEM201
        logp = vgae.decoder_log_prob(z, g.edge_index)
        nll = nll - logp.sum()  #! MEM101
        n_edges += g.edge_index.size(1)
    vgae.train(was_training)
    return nll / n_edges


def train(vgae, train_graphs, val_graphs, epochs, device):
    opt = torch.optim.Adam(vgae.parameters(), lr=0.01)
    for epoch in range(epochs):
        for g in train_graphs:
            g = g.to(device)
            opt.zero_grad()
            z = vgae.encode(g.x, g.edge_index)
            loss = vgae.recon_loss(z, g.edge_index) + vgae.kl_loss() / g.num_nodes
            loss.backward()
            opt.step()
        print(epoch, float(evaluate_reconstruction(vgae, val_graphs, device)))
