# one choice is a device other than the CPU, or not all choices are in view

import torch


def resume(path, gpu, options):
    net = torch.nn.Linear(8, 2).cuda()
    where = "cuda:0" if gpu else "cpu"
    net.load_state_dict(torch.load(path, map_location=where))
    net.load_state_dict(torch.load(path, map_location="cuda:0" if gpu else None))
    net.load_state_dict(torch.load(options.path, map_location=options.device))
    net.load_state_dict(torch.load(options.path, map_location=lambda storage, _: storage.cuda(0)))
    return net
