! SPDX-License-Identifier: Apache-2.0
! What solver.c does, in Fortran: solver_f CASE.
program solver
  use mpi
  implicit none
  integer :: error, rank, ranks, i, request
  double precision :: cell, total
  character(len=16) :: name
  call get_command_argument(1, name)
  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call mpi_comm_size(mpi_comm_world, ranks, error)
  cell = rank
  do i = 1, 40
    if (name == 'straggler' .and. rank == 1) call sleepms(100)
    call mpi_barrier(mpi_comm_world, error)
    call mpi_allreduce(cell, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, error)
    call mpi_ibarrier(mpi_comm_world, request, error)
    call mpi_wait(request, mpi_status_ignore, error)
    cell = total * 0.25d0 + i
  end do
  if (rank == 0) print '(a,es24.16)', 'sum ', cell
  call mpi_finalize(error)
contains
  subroutine sleepms(milliseconds)
    use, intrinsic :: iso_c_binding
    integer, intent(in) :: milliseconds
    integer(c_int) :: ignored
    interface
      function usleep(us) bind(c, name='usleep')
        use, intrinsic :: iso_c_binding
        integer(c_int) :: usleep
        integer(c_int), value :: us
      end function
    end interface
    ignored = usleep(int(milliseconds * 1000, c_int))
  end subroutine
end program
