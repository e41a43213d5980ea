# whoever can call backward on an entry of a dictionary keeps a graph with the dictionary

import torch


class Runner:
    def fit(self, module, batches, optimizer):
        outputs, kept = [], []
        for batch in batches:
            optimizer.zero_grad()
            output = module.training_step(batch)
            output["total"].backward()
            optimizer.step()
            outputs.append(output)  #! MEM102 warning
        for batch in batches:
            optimizer.zero_grad()
            result = module.compute(batch)
            loss = result.loss
            loss.backward()
            optimizer.step()
            kept.append(result)  #! MEM102 warning
        return module.end_of_epoch(outputs, kept)


torch.manual_seed(0)
