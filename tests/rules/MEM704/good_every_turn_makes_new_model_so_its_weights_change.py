# every turn makes a new model, so its weights change no more

import torch


def search(rates, make, train, score):
    best, best_state = -1.0, None
    for lr in rates:
        model = make()
        train(model, lr)
        value = score(model)
        if value > best:
            best = value
            best_state = model.state_dict()
    final = make()
    final.load_state_dict(best_state)
    return final
