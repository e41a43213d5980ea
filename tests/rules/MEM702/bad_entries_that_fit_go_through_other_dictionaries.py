# what fits of a checkpoint goes into other dictionaries first

import torch
from networks import unet


def train(net, batches):
    optimizer = torch.optim.Adam(net.parameters())
    for x in batches:
        loss = net(x.cuda()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def with_update(batches, path):
    net = unet(21).cuda()
    pretrained = torch.load(path, map_location="cuda")  #! MEM702 warning
    known = net.state_dict()
    pretrained = {k: v for k, v in pretrained.items() if k in known}
    known.update(pretrained)
    net.load_state_dict(known)
    train(net, batches)


def with_a_loop(batches, path):
    net = unet(21).cuda()
    state = torch.load(path, map_location="cuda")["state_dict"]  #! MEM702 warning
    kept = {}
    for k, v in state.items():
        kept[k.replace("module.", "")] = v
    net.load_state_dict(kept)
    train(net, batches)


if __name__ == "__main__":
    model = unet(21)
    model_dict = model.state_dict()
    loaded = torch.load("start.pth", map_location="cuda")  #! MEM702 warning
    found, fits, rest = [], {}, []
    for name, value in loaded.items():
        if name in model_dict and value.shape == model_dict[name].shape:
            fits[name] = value
            found.append(name)
        else:
            rest.append(name)
    model_dict.update(fits)
    model.load_state_dict(model_dict)
    print(found[:10], rest[:10])
    train(model.cuda(), get_batches())
