"""The update of the discriminator does not detach what the generator made: its gradient flows on into the generator.

must name: update 1; part gradient; operation mm or addmm; kind other operation"""
import torch

from common import mlp, run, samples, seed


def main(side, attach):
    seed()
    generator, discriminator = mlp(4, 8, 12), mlp(12, 8, 1)
    model = torch.nn.ModuleDict({"generator": generator, "discriminator": discriminator})
    of_generator = torch.optim.Adam(generator.parameters(), lr=0.01)
    of_discriminator = torch.optim.Adam(discriminator.parameters(), lr=0.01)
    softplus = torch.nn.functional.softplus
    with attach(model, [of_generator, of_discriminator]) as recorder:
        for x, _ in samples():
            recorder.batch(x)
            of_generator.zero_grad()
            of_discriminator.zero_grad()
            made = generator(x[:, :4])
            loss = (softplus(-discriminator(x)) + softplus(discriminator(made.detach() if side == "a" else made))).mean()
            loss.backward()
            of_discriminator.step()
            loss = softplus(-discriminator(generator(x[:, :4]))).mean()
            loss.backward()
            of_generator.step()
            recorder.update(loss)


if __name__ == "__main__":
    run(main)
