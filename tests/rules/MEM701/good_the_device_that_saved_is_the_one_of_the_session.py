# The load without a device is for a file of the device in use; the other branch maps it there.

import os
import torch


class Session:
    def __init__(self):
        self.device = torch.device("cpu")


def choose(session, options):
    device = "cuda:0" if torch.cuda.is_available() else "cpu"
    session.device = options["device"] if "device" in options else device


def restore(session, folder, nets):
    path = os.path.join(folder, "checkpoint.pt")
    with open(os.path.join(folder, "device.txt")) as file:
        saved_on = torch.device(file.read())
    if saved_on == session.device:
        checkpoint = torch.load(path)
    else:
        checkpoint = torch.load(path, map_location=session.device)
    for name, weights in checkpoint["nets"].items():
        nets[name].load_state_dict(weights)
        nets[name].to(session.device)


def run(options, folder, nets):
    session = Session()
    choose(session, options)
    restore(session, folder, nets)
    return session
